"""Takes the typeface of the pages from its npm package: `uv run python -m tools.inter.build`.

It installs the package of `package-lock.json`, and copies the subsets of `SUBSETS` with their style sheet into `web/static` and
their licence into `web/licences`.
"""

import re
import shutil
from pathlib import Path
from typing import Final

from tests.support.processes.node import install

HERE: Final = Path(__file__).parent
PACKAGE: Final = HERE / "node_modules" / "@fontsource-variable" / "inter"
WEB: Final = HERE.parents[1] / "web"
STYLES: Final = "static/inter.css"
LICENCE: Final = "licences/inter.txt"
SUBSETS: Final = ("latin", "latin-ext", "cyrillic", "greek", "vietnamese")
"""A browser loads those that the text of a page needs, most often the first alone."""
FILES: Final = (STYLES, LICENCE, *(f"static/inter-{each}.woff2" for each in SUBSETS))
_FACE: Final = re.compile(r"/\* inter-([a-z-]+)-wght-normal \*/\s*(@font-face \{.*?\n\})", re.DOTALL)
_SOURCE: Final = re.compile(r"url\(\./files/[^)]+\)")


def build(into: Path) -> None:
    install(HERE)
    for name in FILES:
        (into / name).parent.mkdir(exist_ok=True)
    for each in SUBSETS:
        shutil.copyfile(PACKAGE / "files" / f"inter-{each}-wght-normal.woff2", into / f"static/inter-{each}.woff2")
    faces = dict(_FACE.findall((PACKAGE / "wght.css").read_text()))
    shown = [_SOURCE.sub(f'url("inter-{each}.woff2")', faces[each]) for each in SUBSETS]
    head = "/* Inter, which the pages and the web application are set in; written by tools/inter/build.py. */"
    (into / STYLES).write_text("\n".join((head, *shown, "")))
    shutil.copyfile(PACKAGE / "LICENSE", into / LICENCE)


if __name__ == "__main__":
    build(WEB)
