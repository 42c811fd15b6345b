"""The dashboard, but for one thing: an attack on all classes together goes on until it is stopped.

It is the real attack, over and over, so that a test can stop it in the middle on any machine.
"""

import sys

from streamlit.web.cli import main

from cra_dashboard.session import attacks

honest = attacks.tight_attack


def endless(release, *, cancelled, **options):
    while True:
        found = honest(release, cancelled=cancelled, **options)
        if cancelled() or cancelled is attacks._never:  # what nobody can stop ends by itself
            return found


if __name__ == "__main__":
    attacks.tight_attack = endless
    main(["run", *sys.argv[1:]])
