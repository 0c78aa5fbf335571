"""What the layout of every screen is to be, as a browser measures it."""

import itertools

from tests.support.web.accessible import check_everywhere

# Sizes in pixels of what is shown of these: the title of a screen, the headings of its content, its text.
LADDER = """() => {
  const size = (selector) => {
    const found = document.querySelector(selector);
    return found && parseFloat(getComputedStyle(found).fontSize);
  };
  const within = document.querySelector('.ProseMirror') ? '.ProseMirror' : 'main';
  const [h1, h2, h3, text] = ['h1', 'h2', 'h3', 'p'].map((name) => size(`${within} ${name}`));
  return { title: size('main h1'), h1, h2, h3, text };
}"""

# Controls whose centre something else covers, once they are scrolled into view; what scrolls inside a box is cut by it.
COVERED = """() => {
  const cut = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    for (let box = element; box; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      if (overflowX === 'visible' && overflowY === 'visible' && box !== document.body) continue;
      const seen = box === document.body ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : box.getBoundingClientRect();
      if (x <= seen.left || x >= seen.right || y <= seen.top || y >= seen.bottom) return null;
    }
    return [x, y];
  };
  // what was measured before may have scrolled the page
  for (const each of document.querySelectorAll('*')) if (each.scrollTop) each.scrollTop = 0;
  return [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=treeitem]')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().width > 1)
    .filter((each) => {
      if (!cut(each)) each.scrollIntoView({ block: 'center', inline: 'center' });
      const centre = cut(each);
      if (!centre) return false;
      const hit = document.elementFromPoint(...centre);
      if (!hit) return false; // at the very edge of the window
      // a panel lies over the text where there is no room beside it
      if (hit?.closest('#panel') && each.closest('article') && !each.closest('#panel, header, [role=toolbar]')) return false;
      return !(each.contains(hit) || hit?.contains(each) || [...(each.labels ?? [])].some((label) => label.contains(hit)));
    })
    .map((each) => each.outerHTML.slice(0, 120));
}"""

# Texts of more than eight letters in a box that is narrower than eight of them.
SQUEEZED = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const words = texts.currentNode.data.trim();
    if (words.length <= 8 || element.closest('script, noscript, option, [hidden]') || !element.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    let box = element;
    while (getComputedStyle(box).display === 'inline') box = box.parentElement;
    const { width } = box.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (width > 1 && width < size * 0.55 * 8 && range.getBoundingClientRect().width > 1) found.push(`${width}: ${words.slice(0, 60)}`);
  }
  return found;
}"""

# The page and its content are as wide as the window: only tables and code of a document scroll by themselves.
WIDER = """() => [document.documentElement, ...document.querySelectorAll('main, [role=dialog]')]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => `${each.tagName}: ${each.scrollWidth} of ${each.clientWidth}`)"""


async def assert_laid_out(page):
    """Fail where the page is not as every screen is to be, light and dark, or axe finds anything."""
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        where = (page.url, page.viewport_size["width"], scheme)
        assert (found := await page.evaluate(WIDER)) == [], (where, found)
        sizes = await page.evaluate(LADDER)
        headings = [sizes[name] for name in ("h1", "h2", "h3") if sizes[name] is not None]
        assert sizes["title"] >= headings[0], (where, sizes)
        assert all(one > other for one, other in itertools.pairwise(headings)), (where, sizes)
        assert sizes["text"] is None or headings[-1] >= sizes["text"], (where, sizes)
        assert (found := await page.evaluate(COVERED)) == [], (where, found)
        assert (found := await page.evaluate(SQUEEZED)) == [], (where, found)
    await check_everywhere(page)
