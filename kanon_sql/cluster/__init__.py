"""Local recoding drivers: they ask for rounds over an assignment table and never see SQL.

A driver is a generator over the questions of `questions.py`: `counts = yield Sweep(...)`. The one who answers
(`workbench/rounds.py`) runs a fixed number of statements per question, whatever the number of groups, and sends back counts alone.
A new algorithm is: one driver file here, one line in `model/algorithms.py`; where it asks something new,
a question in `questions.py`, a method in the family of `workbench/rounds.py` that answers it, statement functions in `sql/` and
templates in `sql_templates/cluster/`. A driver ends with the groups in the assignment; `finish.py` holds the passes all share.
"""
