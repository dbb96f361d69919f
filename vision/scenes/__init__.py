"""Made-up photographs of a game table, with the truth about them: for tests, evaluation and the virtual table.

Shares board data and sheet geometry with the reader, nothing else: no colour, no shape, no light. See README.md.
"""

from vision.scenes.camera import Camera
from vision.scenes.position import Position
from vision.scenes.scene import Scene, calibration_scene, empty_scene, make_scene, position_of, shoot
from vision.scenes.setting import setting_of
from vision.scenes.spec import DIFFICULTIES, SceneError, SceneSpec, Setting
from vision.scenes.story import sequence
from vision.scenes.truth import ClubTruth, SiteTruth, Truth

__all__ = [
    "DIFFICULTIES",
    "Camera",
    "ClubTruth",
    "Position",
    "Scene",
    "SceneError",
    "SceneSpec",
    "Setting",
    "SiteTruth",
    "Truth",
    "calibration_scene",
    "empty_scene",
    "make_scene",
    "position_of",
    "sequence",
    "setting_of",
    "shoot",
]
