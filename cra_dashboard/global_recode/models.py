"""The privacy models that a person asks for on the page: those of the study to begin with."""

from functools import partial

from cra_dashboard.session import keys, state
from cra_dashboard.session.model_form import ModelForm
from cra_engine import Study
from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.models import PrivacyModel


def chosen(data: state.Dataset, study: Study) -> tuple[PrivacyModel, ...]:
    """Return the privacy models that Global recode is asked for."""
    asked = keys.MODELS.of(data.digest)
    return study.privacy if asked is None else asked


def form(data: state.Dataset, study: Study) -> None:
    """Show Global recode's privacy models, each with a button to leave it out, and what it takes to add one."""
    own = ModelForm("gr", AverageRisk, partial(keys.MODELS.keep, data.digest))
    own.show(data.frame, study.names, chosen(data, study))
