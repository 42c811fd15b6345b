"""Illnesses written in words, told by stems and endings of English, German, French, Italian, Spanish and Dutch."""

import re
from collections.abc import Sequence

from cra_engine.raw.column_words import folded

_FEWEST = 3  # different values that name an illness
_CLEAR = 0.6  # of the values have to name one
# Folded to small letters without accents. Endings that other words have too, such as -om, -ose, -ite and -bruch of
# astronomers, roses, granite and moors, stand behind stems of medicine alone.
_ILLNESS = re.compile(
    r"\w{2}itis\b|\w{3}(pathie|pathy|patia)\b|"
    r"(appendic|bronch|gastr|arthr|artr|hepat|epat|nephr|nefr|\bot|\bcol|cyst|cist|mening|polmon|pancreat|dermat|sinus)"
    r"ite\b|"
    r"(carcin|karzin|sar[ck]|lymph|linf|melan|aden|\bmy|gli|glau[ck]|h?a?emat|fibr|lip|angi|blast|neur|syndr|sindr)om|"
    r"(thromb|tromb|arthr|artr|s[ck]ler|[cz]irr?h?|fibr|por|ber[ck]ul|neur|psych|psic|sten|ne[ck]r|my[ck]|metri|acid|azid)"
    r"os(e|en|is|i)\b|"
    r"(\ban|leuk|leuc|isch|lip|lipid|ur|gly[ck]|gluc|septi[ck]|bakteri|bacteri|natr|natri|kali)(ae|e|a)mi[ae]|"
    r"entzundung|ontsteking|infar[ck]?t|krebs\b|cancer|cancro|kanker|tumou?r|fra[ck]tur|fracture|frattura|diabet|asthma|"
    r"\basma|pneumon|neumonia|hyperton|hypertens|hipertens|ipertens|"
    r"(gallen?|nieren|blasen|harn)steine?\b|(gal|nier)ste(en|nen)\b|(gall|kidney)\s?stones?|"
    r"(hals|knochen|bein|arm|rippen|leisten|becken|wirbel|gelenk|bot)\w*(bruch|breuk)|"
    r"insuffi[zc]ien|insufficien|insuffisance|insuficiencia|insufficienza|(heart|renal|kidney|liver) failure|hartfalen|"
    r"schlaganfall|\bstroke\b|beroerte|\bictus\b|\bavc\b|\w*odeme?n?\b|oedema|edema|embol|angina\b|flimmern|fibrill|"
    r"arr?h?ythm|aritmi|grippe\b|\bgripe\b|\bgriep\b|influenza|\bflu\b|erkaltung|schmerz|\bpain\b|migran|migrain|"
    r"depressi|epilep|demen[zct]|alzheimer|parkinson|schizo|autis|herpes|\bhiv\b|\baids\b|\bcopd\b|\bcovid|sepsis|"
    r"ul[kc]us|\bulcer|\bgicht\b|\bgout\b|allerg|ekzem|eczem|psoriasis|herni[ae]|adipositas|obes|anorexi|"
    r"infe[kc]tion|infe[cz]+ion|(?<!unk)krankheit\b|\w*erkrankung|disease\b|maladie|malattia|enfermedad|ziekte\b|"
    r"verletzung|injur|eclamp|eklamp|ha?emorrhag|blutung|amputation|miscarriage|fehlgeburt|preterm birth|fruhgeburt"
)
# Who has none, by a word that stands among illnesses.
_NONE = re.compile(r"(none|no|keine?|nein|nothing|nichts|gesund|healthy|normal)( \w+)?")
# Who treats an illness, and where, is no illness: a ward for diabetes, a consultant on cancer.
_TREATS = re.compile(
    r"olog(ie|y|ia|e|o|ue|ist|in)\b|klinik|clini|(?<!ge)station|\bwards?\b|\bunit\b|zentrum|cent(er|re|ro)\b|ambulan|abteilung|"
    r"department|praxis|sprechstunde|berater|forscher|pfleg|nurse|arzt|therapeut|hospital|spital|krankenhaus"
)


def are_illnesses(values: Sequence[str]) -> bool:
    """Return whether a clear share of the different values of a raw column name illnesses.

    >>> are_illnesses(["Diabetes Typ 2", "Gallensteine", "Lungenentzündung", "gesund"])
    True
    >>> are_illnesses(["none", "no complication", "gestational diabetes", "preeclampsia", "haemorrhage", "fever"])
    True
    >>> are_illnesses(["Urologie", "Diabetologie", "Brustkrebszentrum", "Pneumologie"])
    False
    """
    texts = [text for text in map(folded, values) if not _NONE.fullmatch(text)]
    named = sum(_ILLNESS.search(text) is not None and _TREATS.search(text) is None for text in texts)
    return named >= max(_FEWEST, _CLEAR * len(texts))
