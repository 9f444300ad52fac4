"""Answers the questions of algorithms that work inside blocks."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import (
    BlockQuestion,
    EndGrowing,
    GrowGroups,
    HalveOpen,
    MergePairs,
    OpenRows,
    PlaceLeftovers,
    SettleBlanks,
    StartGrowing,
    StartMerging,
)
from kanon_sql.cluster.questions import Counts
from kanon_sql.workbench.blanking import Blanking
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.growing import Growing
from kanon_sql.workbench.halving import halve
from kanon_sql.workbench.merging import Merging
from kanon_sql.workbench.spatial import SpatialGrowing


class BlockAnswers:
    """Keeps what is under way between one question and the next."""

    def __init__(self, answers: GroupAnswers) -> None:
        self.answers = answers
        self.growing: Growing | None = None
        self.merging: Merging | None = None

    def answer(self, question: BlockQuestion) -> Counts:
        if isinstance(question, StartGrowing):
            self.growing = (SpatialGrowing if question.spatial else Growing)(self.answers, question)
            return Counts()
        if isinstance(question, StartMerging):
            self.merging = (Blanking if question.suppress else Merging)(self.answers, question)
            return Counts()
        if isinstance(question, MergePairs):
            assert self.merging is not None
            return self.merging.merge(question)
        if isinstance(question, SettleBlanks):
            assert isinstance(self.merging, Blanking)
            return self.merging.settle()
        if isinstance(question, OpenRows):
            return self.answers.open_rows(None, 0, self.answers.coded.boxes.row_columns)
        if isinstance(question, HalveOpen):
            return halve(self.answers, question)
        assert self.growing is not None
        if isinstance(question, GrowGroups):
            return self.growing.grow()
        if isinstance(question, PlaceLeftovers):
            return self.growing.place()
        assert isinstance(question, EndGrowing)
        return self.growing.end()
