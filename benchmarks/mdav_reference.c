/* MDAV as it is defined, in doubles: the compiled baseline of microaggregation.py. Ties go to the first record. */

#include <stdlib.h>
#include <string.h>

/* Distances of the records listed in left from a point. */
static void distances(const double *x, int columns, const int *left, int count, const double *point, double *out) {
    for (int i = 0; i < count; i++) {
        const double *row = x + (size_t)left[i] * columns;
        double sum = 0.0;
        for (int j = 0; j < columns; j++) {
            double d = row[j] - point[j];
            sum += d * d;
        }
        out[i] = sum;
    }
}

static int farthest(const double *d, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (d[i] > d[best]) best = i;
    return best;
}

/* Labels the k nearest records and takes them off the list; returns how many are left. */
static int take(const double *d, int *left, int count, int k, int number, int *label, double *best, int *at) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        if (found == k && d[i] >= best[k - 1]) continue;
        int place = found < k ? found++ : k - 1;
        while (place > 0 && best[place - 1] > d[i]) {
            best[place] = best[place - 1];
            at[place] = at[place - 1];
            place--;
        }
        best[place] = d[i];
        at[place] = i;
    }
    for (int i = 0; i < k; i++) label[left[at[i]]] = number;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (label[left[i]] < 0) left[kept++] = left[i];
    return kept;
}

int mdav(const double *x, int records, int columns, int k, int *label) {
    int *left = malloc(sizeof(int) * records), *at = malloc(sizeof(int) * k), count = records, number = 0;
    double *d = malloc(sizeof(double) * records), *best = malloc(sizeof(double) * k);
    double *centre = malloc(sizeof(double) * columns);
    for (int i = 0; i < records; i++) left[i] = i, label[i] = -1;
    while (count >= 2 * k) {
        memset(centre, 0, sizeof(double) * columns);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < columns; j++) centre[j] += x[(size_t)left[i] * columns + j];
        for (int j = 0; j < columns; j++) centre[j] /= count;
        distances(x, columns, left, count, centre, d);
        const double *first = x + (size_t)left[farthest(d, count)] * columns;
        distances(x, columns, left, count, first, d);
        if (count < 3 * k) {
            count = take(d, left, count, k, number++, label, best, at);
            break;
        }
        const double *second = x + (size_t)left[farthest(d, count)] * columns;
        count = take(d, left, count, k, number++, label, best, at);
        distances(x, columns, left, count, second, d);
        count = take(d, left, count, k, number++, label, best, at);
    }
    for (int i = 0; i < count; i++) label[left[i]] = number;
    free(left), free(at), free(d), free(best), free(centre);
    return number + 1;
}
