"""Rules of HTML that is read as Markdown."""

MERGED = """<table><tr><th>R</th><th>Y</th><th>S</th></tr><tr><td rowspan=2>N</td><td>25</td><td>10</td></tr>
<tr><td>26</td><td>12</td></tr><tr><td colspan=2>T</td><td>22</td></tr></table>
"""
RULES = {
    "bold and italic": ("<b>a</b> <strong>b</strong> <i>c</i> <em>d</em>\n", "**a** **b** *c* *d*\n"),
    "inserted and deleted": ("<ins>a</ins> <u>b</u> <del>c</del> <s>d</s>\n", "<u>a</u> <u>b</u> ~~c~~ ~~d~~\n"),
    "code": ("<code>a</code> <kbd>b</kbd>\n", "`a` `b`\n"),
    "marks of our own": ("H<sub>2</sub>O <mark>m</mark> x<sup>2</sup>\n", "H<sub>2</sub>O <mark>m</mark> x<sup>2</sup>\n"),
    "tags that are none of ours": ('<span style="color:red">a</span> <small>b</small> <font>c</font>\n', "a b c\n"),
    "a tag in capitals": ("<B>a</B>\n", "**a**\n"),
    "a link": ('<a href="https://a.example" title="t">a</a> b\n', '[a](https://a.example "t") b\n'),
    "a link to nowhere safe": ('<a href="javascript:alert(1)">a</a> b\n', "a b\n"),
    "an anchor": ('<a name="x"></a>\n\n## X\n', "## X\n"),
    "an anchor around a text": ('<a name="x">a</a> <a>b</a> <a href="">c</a>\n\n<p><a id=x>d</a></p>\n', "a b c\n\nd\n"),
    "a break": ("a<br>b<br/>c\n", "a\\\nb\\\nc\n"),
    "an image": ('<img src="a.png" alt="A" width="100">\n', "![A](a.png)\n"),
    "an image in a text": ('a <img src="a.png"> b\n', "a\n\n![](a.png)\n\nb\n"),
    "an image from nowhere safe": ('a <img src="javascript:x"> b\n', "a b\n"),
    "a comment in a text": ("a <!-- c --> b\n", "a b\n"),
    "a comment between blocks": ("a\n\n<!-- secret\n\n- x\n-->\n\nb\n", "a\n\nb\n"),
    "a comment between lists": ("- a\n\n<!-- -->\n\n- b\n", "- a\n\n+ b\n"),
    "a comment in front of a text": ("<!-- c --> a\n", "a\n"),
    "a comment alone": ("<!-- c -->\n", ""),
    "a script": ("<script>\nalert(1)\n</script>\n\na\n", "a\n"),
    "a script in a text": ("a <script>alert(1)</script> b\n", "a b\n"),
    "a style": ("<style>\np { color: red }\n</style>\n\na\n", "a\n"),
    "what a template holds": (
        '<template><img src="a.png"><hr><ul><li>x</ul><pre>y</pre><h1>z</h1><a href="/b">c</a></template>\n\na\n',
        "a\n",
    ),
    "a template in a text": ('a <template><div><img src="a.png">x</div></template> b\n', "a b\n"),
    "a block in a task": ("- [ ] x <div>y</div>\n- [x]  <b>z</b> <h2>w</h2>\n", "- [ ] x\n\n  y\n\n- [x] **z**\n\n  ## w\n"),
    "a declaration": ("a <?php x ?> b <!X> <![CDATA[y]]>\n", "a b\n"),
    "a paragraph": ('<p align="center">a <b>x</b></p>\n', "a **x**\n"),
    "divisions": ("<div>a<div>b</div>c</div>\n", "a\n\nb\n\nc\n"),
    "headings": ('<h1 align="center">a</h1>\n<h3>b <em>c</em></h3>\n', "# a\n\n### b *c*\n"),
    "a rule": ("<hr>\n\na\n", "***\n\na\n"),
    "Markdown between tags": ('<div align="center">\n\n# a\n\n**b**\n\n</div>\n', "# a\n\n**b**\n"),
    "lists": ("<ul><li>a<li>b<ol start=3><li>c</ol></ul>\n", "- a\n\n- b\n\n  3. c\n"),
    "a quote": ("<blockquote>a<p>b</p></blockquote>\n", "> a\n>\n> b\n"),
    "code blocks": ('<pre><code class="language-js">a = 1\n  b</code></pre>\n', "```js\na = 1\n  b\n```\n"),
    "a table": ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
    "text of a row beside its cells": (
        "<table><tr><th>a</th><th>b</th></tr><tr>1<td>2</td></tr></table>\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"
    ),
    "a table with merged cells": (
        MERGED,
        "| R | Y | S |\n| --- | --- | --- |\n| N | 25 | 10 |\n|  | 26 | 12 |\n| T |  | 22 |\n",
    ),
    "a table with aligned columns": (
        '<table><tr><th align="right">a</th></tr><tr><td align="right">1</td></tr></table>\n',
        "| a |\n| ---: |\n| 1 |\n",
    ),
    "blocks in a cell of a table": ("| a |\n| --- |\n| <ul><li>x</li></ul> |\n", "| a |\n| --- |\n| x |\n"),
    "details": ("<details>\n<summary>S</summary>\n\n**a**\n\n</details>\n\nb\n", "<details>\n<summary>S</summary>\n\n**a**\n\n</details>\n\nb\n"),
    "details that are open": ("<details open><summary>S</summary>\na\n</details>\n", "<details>\n<summary>S</summary>\n\na\n\n</details>\n"),
    "details with a blank line before the summary": ("<details>\n\n<summary><b>S</b></summary>\n\na\n\n</details>\n", "<details>\n<summary>S</summary>\n\na\n\n</details>\n"),
    "details that nobody closes": ("> <details><summary>S</summary>\n> a\n\nb\n", "> <details>\n> <summary>S</summary>\n>\n> a\n>\n> </details>\n\nb\n"),
    "an end of details that nobody opened": ("a\n\n</details>\n\nb\n", "a\n\nb\n"),
    "a quote that nobody closes": ('<div title="a\n\nb\n\nc\n', "b\n\nc\n"),
    "characters by name": ("<p>&lt;b&gt; &amp;amp; &copy;</p>\n", "\\<b> \\&amp; ©\n"),
}  # fmt: skip
