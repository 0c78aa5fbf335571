"""Has uploaded images encoded anew by a job."""

from dataclasses import dataclass

from computing.jobs import REENCODE_IMAGE, Job
from computing.runner import Crashed, JobRunner, TooCostly
from domain.credit import Payer
from domain.document import IMAGE_TOO_LARGE, EncodedImage, ImageFile
from domain.errors import Rejection


@dataclass(frozen=True, slots=True)
class ImageJobs:
    """The encoder of images that resolvers call; users take turns."""

    runner: JobRunner
    job: Job[[bytes, str], EncodedImage | Rejection] = REENCODE_IMAGE

    async def encode(self, file: ImageFile, by: Payer) -> EncodedImage | Rejection:
        try:
            return await self.runner.run(self.job, by, "", file.content, file.content_type)
        except (TooCostly, Crashed):
            return IMAGE_TOO_LARGE
