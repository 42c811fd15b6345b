"""Words in the names of columns that say what a column holds, in English and German, some French, Italian, Spanish."""

import re
import unicodedata
from typing import Literal

Kind = Literal[
    "name",
    "people",
    "no person",
    "number",
    "e-mail",
    "telephone",
    "address",
    "birth",
    "free text",
    "sensitive",
    "measured",
    "seen",
    "coordinate",
    "quasi",
    "basic",
    "age",
    "sex",
]
_AGE = r"age|ages|alter|edad"
_SEX = r"sex|gender|geschl|geschlecht|sexe|sesso|sexo"
# What a practice asks and scores itself; scores of banks and schools, a grade at school, an index of rows are not.
_SCORED = (
    r"pain|\w*schmerz(en|score|skala|starke|wert|intensitat)?|(?<!credit )(?<!test )(?<!exam )(?<!math )(?<!reading )"
    r"(?<!school )scores?|skala|(?<!pay )scale|(vas|nrs)\s?\d*|(barthel|charlson|karnofsky|apgar)\w*|severity|"
    r"\w*schweregrad|(who|toxicity) grade"
)
# What a laboratory or a nurse measures, or a practice scores.
_MEASURED = (
    r"hb|hb\s?a1c|ha?emoglobin\w*|ha?matokrit|ha?ematocrit|creatinine?|kreatinin|gluco\w*|gluko\w*|"
    r"cholester\w*|triglycer\w*|ldl|hdl|crp|bilirubin|albumin|platelets?|thrombozyt\w*|leuko[cz]yt\w*|wbc|rbc|natrium|"
    r"sodium|kalium|potassium|urea|harnstoff|harnsaure|psa|tsh|inr|troponin|ferritin|cd4|viral load|"
    rf"blood\w*|blut\w*|bp|systol\w*|diastol\w*|{_SCORED}"
)
# Folded to small letters without accents, sought from the start of a word unless within one.
_NAMED: dict[Kind, str] = {
    "name": r"\b(name|names|surname|forename|firstname|lastname|fullname|givenname|familyname|maiden|vorname|nachname|"
    r"familienname|zuname|nom|prenom|apellidos?|nombre|cognome|kontaktperson|next of kin|contact)\b|"
    r"\b(first|last|full|given|family|patient|person|doctor|physician|middle)\s?names?\b|patientenname",
    "people": r"\b(patient|patientin|client|klient|klientin|person|doctor|physician|surgeon|attending|nurse|mother|"
    r"father|parent|spouse|arzt|arztin|aerztin|\w*arzt|operateur|behandler|mutter|vater|angehorige\w*|"
    r"ansprechpartner\w*|author|employee|mitarbeiter)\b",
    "no person": r"\b(drug|hospital|ward|product|country|city|town|file|variable|brand|street|station|species|common|"
    r"ship|team|school|university|department|clinic|company|category|group|test|disease|state|county|region|"
    r"neighbou?rhood|precinct|district|birthplace|place|stadtteil|quartier|bezirk|ort|\w+ort|klinik|abteilung|land)\b",
    "number": r"\b(ssn|mrn|nhs|ahv|avs|kvnr|passport|iban|licen[sc]e|social security|insurance|versicher\w*|"
    r"kranken\w*(nr|nummer)|pat\w*(nr|id|nummer)|patient\w*\s?(id|no|nr|num\w*|code|nummer)|fall\s?(nr|nummer|id)|"
    r"case\s?(id|no|nr|num\w*)|(person|subject|participant|proband\w*|member|medical record|record|account|chart|"
    r"customer|client|user|donor|student|employee)\s?(id|no|nr|num\w*|code|key)|id|uuid|guid|pid|identifier|"
    r"\w*(nummer|number))\b",
    "e-mail": r"\b(e ?mail|mail)\b",
    "telephone": r"\b(tel|telephone|telefon|phone|mobile|handy|fax|cell)\w*",
    "address": r"\b(address|adresse|street|strasse|anschrift|rue|wohnort strasse|house)\b",
    "birth": r"\b(birth\s?(date|day)|date of birth|dob|born|geburts?\s?(datum|tag)|geb\s?(datum|dat)?|geboren|"
    r"naissance|nacimiento|nascita)\b|geburtsdatum|birthdate|birthday",
    "free text": r"\b(comment|comments|remark|remarks|note|notes|bemerkung\w*|notiz\w*|kommentar\w*|free\s?text|"
    r"freitext|anamnes\w*|befundtext|history|narrative|description)\b",
    "sensitive": r"\b(\w*diagnos\w*|disease\w*|illness|condition|icd\w*|hiv|aids|std|\w*income\w*|salary|salaries|"
    r"wage\w*|earnings|\w*lohn|\w*gehalt|\w*einkommen\w*|verdienst|\w*rente|pension|tax|taxes|\w*steuer|vermogen|"
    r"wealth|schulden|sozialhilfe|welfare|religion|konfession|belief|drug\w*|\w*medication\w*|\w*medika\w*|arznei\w*|"
    r"wirkstoff\w*|atc|prescri\w*|therap\w*|treatment|\w*behandlung|prozedur\w*|procedure\w*|operation\w*|ops|surgery|"
    r"\w*eingriff|outcome|\w*befund|result|symptom\w*|\w*krankheit\w*|\w*erkrankung\w*|alcohol|"
    r"alkohol\w*|cancer|tumou?r\w*|krebs\w*|mental|psych\w*|depress\w*|death|died|dead|"
    r"deceased|verstorben|gestorben|tod|todes\w*|surviv\w*|mortality|suicid\w*|abuse|crime|offen[cs]e|convict\w*|"
    r"vorstraf\w*|sexual\w*|sexuell\w*|politic\w*|vote|party|partei|gewerkschaft|pflegegrad|"
    r"allerg\w*|unvertraglich\w*|asthma\w*|epilep\w*|infect\w*|infekt\w*|vaccin\w*|\w*impf\w*|covid\w*|hepatitis\w*|"
    r"comorbid\w*|komorbid\w*|complications?|\w*komplikation(en)?|adverse (event|effect|reaction)s?|side effects?|"
    r"nebenwirkung(en)?|dement\w*|demenz\w*|dialys\w*|"
    r"^status$|^event$|diabet\w*|hypertens\w*|stroke|heart disease|target|class|affairs?|debt|loan|credit|default|"
    rf"lab|labor\w*|genotype|mutation|{_MEASURED})\b",
    # By its name, or by the unit that its cells share.
    "measured": rf"\b({_MEASURED}|[munp]?mol( l)?|[mnpu]?g [dm]?l|[mk]?i?u m?l|mm ?hg)\b",
    # What people see of each other, or hear, though it may be an illness.
    "seen": r"\b(smok\w*|\w*(?<!b)raucher\w*|raucht|rauchen|pregnan\w*|schwanger\w*|disab\w*|\w*behinderung\w*|"
    r"wheelchair|rollstuhl|glasses|brille\w*|hair|haar\w*|eye colou?r|augenfarbe)\b",
    "coordinate": r"\b(lat|lon|lng|long|latitude|longitude|breitengrad|langengrad|coordinates?|koordinaten?|gps|"
    r"easting|northing|geo(code|hash|location|lat|lon)?)\b",
    # What hardly any analysis of people does without.
    "basic": rf"\b({_AGE}|{_SEX}|female|male|weiblich|mannlich|maennlich|"
    r"dob|yob|jahrgang|birth\s?(date|day|year)|(date|year) of birth|geburts?\s?(datum|tag|jahr)|geb\s?(datum|dat|jahr)|"
    r"(date|annee) de naissance|(fecha|ano) de nacimiento|(data|anno) di nascita)\b|^(eta|geb|naissance)$",
    "age": rf"\b({_AGE})\b|^eta$",
    "sex": rf"\b({_SEX})\b",
    "quasi": rf"\b(age|ages|alter|alters\w*|{_SEX}|female|male|weiblich|mannlich|maennlich|anrede|"
    r"salutation|bmi|body mass( index)?|"
    r"zip|zip\s?code|plz|postal\w*|post\s?code|postleitzahl|race|ethni\w*|herkunft|education\w*|educ|schooling|"
    r"\w*bildung|occupation|beruf\w*|job|profession|marital\w*|familienstand|civil|zivilstand|married|verheiratet|"
    r"nation\w*|country|land|city|town|stadt|ort|wohnort|geburtsort|geburtsland|birth\s?place|place of birth|"
    r"birth\s?(city|town|country|state)|region|canton|kanton|state|province|provinz|bundesland|county|district|"
    r"kreis|landkreis|bezirk|stadtteil|stadtbezirk|quartier|neighbou?rhood|precinct|borough|suburb|village|gemeinde|"
    r"municipality|commune|parish|census\s?tract|tract|location|(body)?(height|weight)|(korper|koerper)?(groesse|grosse|"
    r"gewicht)|workclass|"
    r"native\w*|birth\s?year|year of birth|geburtsjahr|jahrgang|year|jahr|household|haushalt\w*|children|kinder|"
    r"language|sprache|citizen\w*|staatsangehorigkeit|employment|employer|arbeitgeber|yob|admission|discharge|"
    r"aufnahme\w*|entlass\w*|eintritt|datum|date|"
    # An employer pays part of it, and a family has one.
    r"\w*krankenkasse|kasse|krankenversicherung|kostentrager|health insurer|insurer|payer|"
    # Whoever visits a patient knows where.
    r"\w*station|wards?|department|dept|clinic|klinik|\w*klinik|abteilung|fachabteilung|hospital|krankenhaus|spital|"
    r"service hospitalier|pavillon|reparto|servizio|ospedale|clinica|clinique|hopital|departamento|unidad)\b",
}
_PATTERNS = {kind: re.compile(words) for kind, words in _NAMED.items()}
# What programs and people call a column that has no name.
_NO_NAME = re.compile(
    r"((unnamed )?(unnamed|column|col|spalte|colonne|columna|colonna|field|feld|champ|campo|variable|var|merkmal"
    r")|[cfvx])? ?\d*"
)


def folded(name: str) -> str:
    """Fold a raw column's name to words in lower case: ``Geb.Datum`` is ``geb datum``, ``patientID`` ``patient id``."""
    apart = re.sub(r"(?<=[a-zäöü])(?=[A-ZÄÖÜ])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    plain = unicodedata.normalize("NFKD", apart.lower().replace("ß", "ss"))
    letters = "".join(character for character in plain if not unicodedata.combining(character))
    return " ".join(re.sub(r"[^a-z0-9]+", " ", letters).split())


def is_called(words: str, kind: Kind) -> bool:
    """Tell whether a raw column's folded name holds a word of some kind.

    >>> is_called(folded("Hauptdiagnose"), "sensitive"), is_called(folded("report"), "quasi")
    (True, False)
    """
    return _PATTERNS[kind].search(words) is not None


def tells_nothing(words: str) -> bool:
    """Tell whether a raw column's folded name only says where the column stands.

    >>> tells_nothing(folded("Spalte 3")), tells_nothing(folded("V12")), tells_nothing(folded("item 3"))
    (True, True, False)
    """
    return _NO_NAME.fullmatch(words) is not None
