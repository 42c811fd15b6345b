"""The questions that people ask, with their answers in Markdown."""

FAQ: dict[str, str] = {
    "Why is a patient number a quasi-identifier in the clinic's table?": (
        "Nobody would publish by it: a number that names one person is to be removed. The paper's evaluation takes "
        "it along as one more column of numbers, and the example is shaped like the paper's table. Leave it out on "
        "the Data page to see what changes."
    ),
    "Are the hospitals people?": (
        "No. The table has one row per hospital, and the pages say people all the same, since that is what such "
        "releases are about. Read a row as whoever it is about."
    ),
    "Which data fit?": (
        "A CSV, Excel, OpenDocument, SPSS, Stata, SAS or Parquet file with one row per person and the column names in "
        "the first line. At least one column of "
        "numbers, or a column of text with an ARX hierarchy file, must be a quasi-identifier; up to about six "
        "of them can be attacked exactly. Every row needs a value in each quasi-identifier."
    ),
    "What does a result mean?": (
        "A ratio of 1,000 means that of a thousand tables that the published intervals seem to allow, one "
        "remains: the rule of the recoding excludes the others. A cell that is certain to hold exactly one "
        "person means that anybody who has the release can describe one person in the raw table."
    ),
    "What does a result not mean?": (
        "A small ratio does not show that a table is anonymous. This is one attack, without any knowledge "
        "besides the release. Somebody who knows more, from another table or from the news, can conclude "
        "more. And singled out is not named: putting a name to a description takes another source."
    ),
    "Why is my table refused?": (
        "The recoding has to account for every record, so nothing is dropped or filled in. Empty cells, text "
        "among numbers and values outside the domain are listed with their rows on the page Data; mend them "
        "in the file, or choose other quasi-identifiers. A grid or a lattice that is too large says so before "
        "it runs: take fewer quasi-identifiers, or fewer layers."
    ),
    "Is my table sent anywhere?": (
        "No. Your table stays in the memory of the program on the computer that runs it. Nothing is saved, nothing is "
        "put into an address, a log or a link, and the pages load nothing from other servers. *Forget my "
        "data* on the page Data drops it at once."
    ),
    "The attack finds something in my release. What can I do?": (
        "Compare choices on the page Other ways: for each it shows what can still be concluded, and what the "
        "values lose. A larger k does not always help. Fewer quasi-identifiers or coarser leaves usually "
        "leave this attack less to work on. Global recoding publishes all rows at one state, so there is no "
        "order of classes for it to read; the page says what can still be concluded there. Look at the "
        "classes that lose most, on the page Attack, first."
    ),
    "Is an estimate, or a run that was stopped, as good as exact?": (
        "No. An estimate comes with its standard error. A run that reached its time says so, and cells that "
        "it did not reach are never shown as safe. Per class the counts are always exact."
    ),
    "Why do two classes sometimes share a cell?": (
        "States of exactly equal loss tie, and the publisher breaks the tie by the raw table. The attacker "
        "cannot, so the cell is left open between them; see *Setting: classes that tie* on the page Attack."
    ),
    "How do I show this in class?": (
        "*Copy link* in the bar at the top gives an address that opens the same study, step and class on "
        "every computer that runs the program. There you can also make the type larger for a projector and "
        "leave parts out. The page Lessons has lessons of about five minutes."
    ),
}
