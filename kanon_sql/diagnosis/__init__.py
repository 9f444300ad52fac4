"""Will tonight's run succeed? Everything a run needs, looked at beforehand; nothing is changed."""
