"""Local recoding drivers: they ask for rounds over an assignment table and never see SQL.

A driver is a generator over the questions of `questions.py`: `counts = yield Sweep(...)`. `workbench/group_answers.py` answers each with a
fixed number of statements, whatever the number of groups; only counts come back.
A new algorithm is: one driver file here, one line in `model/algorithms.py`; where it asks something new, a question in `questions.py`, a
method of `workbench/group_answers.py` or its family that answers it, a template in `sql_templates/cluster/<kind>/` and its function in
`sql/statements/cluster/<kind>.py`. A driver ends with the groups in the assignment; `finish.py` holds the passes that all share.
"""
