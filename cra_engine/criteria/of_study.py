"""What a study asks of each class, as criteria."""

from collections.abc import Sequence

from cra_engine.criteria.d_presence import DPresence
from cra_engine.criteria.k_anonymity import KAnonymity
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.criteria.t_closeness import TCloseness
from cra_engine.errors import StudyError
from cra_engine.study.privacy import PrivacyModel
from cra_engine.study.study import Study

Criterion = KAnonymity | LDiversity | TCloseness | DPresence


def criteria_of(study: Study) -> tuple[Criterion, ...]:
    """k-anonymity, unless k is 1, and the study's privacy models.

    Raises:
        StudyError: a model lacks a parameter, or one is unusable.

    >>> from cra_engine import Attribute
    >>> diverse = PrivacyModel("l-diversity", "diagnosis", l=2)
    >>> study = Study([Attribute("age", 0, 80, 4)], k=3, privacy=[diverse])
    >>> [str(criterion) for criterion in criteria_of(study)]
    ['3-anonymity', 'distinct 2-diversity of diagnosis']
    """
    size = [KAnonymity(study.k)] if study.k > 1 else []
    return (*size, *models(study.privacy))


def models(privacy: Sequence[PrivacyModel]) -> tuple[Criterion, ...]:
    """Privacy models as criteria.

    Raises:
        StudyError: a model lacks a parameter, or one is unusable.
    """
    return tuple(map(_criterion, privacy))


def _criterion(model: PrivacyModel) -> Criterion:
    match model.model:
        case "l-diversity" if model.l is not None:
            return LDiversity(model.attribute, model.l, model.variant or "distinct", model.c)
        case "t-closeness" if model.t is not None:
            return TCloseness(model.attribute, model.t, model.distance or "equal", model.hierarchy)
        case "d-presence" if model.value is not None and model.lower is not None and model.upper is not None:
            return DPresence(model.attribute, model.value, model.lower, model.upper)
    needs = {"l-diversity": "l", "t-closeness": "t", "d-presence": "value, lower and upper"}
    if model.model not in needs:
        raise StudyError(f"The privacy model {model.model!r} is unknown; take {', '.join(needs)}.")
    raise StudyError(f"The {model.model} of {model.attribute!r} needs {needs[model.model]}; add it.")
