"""The instructions that judges who read a prompt are given: Markdown with a front matter, shipped in the package.

Answers for: finding a skill by name and reading its front matter. Declines: composing the prompt (`dialogue` does,
with the contract, the vocabulary and the fenced evidence) and any opinion about what an instruction should say.
"""

from bicameral.skills.load import Skill, load_skill, read_skill

__all__ = ["Skill", "load_skill", "read_skill"]
