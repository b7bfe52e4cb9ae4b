"""The former commander of Emlia, `plain`: appraisal, movement and decisions."""

from emlia3d.rules.emlia.doctrine.ai_context import DOCTRINES, DoctrinePersonality
from emlia3d.rules.emlia.doctrine.plain_commander import Doctrine

__all__ = ["DOCTRINES", "Doctrine", "DoctrinePersonality"]
