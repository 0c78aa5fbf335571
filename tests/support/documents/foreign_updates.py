"""Documents as other editors have them: with the names of another schema, and as updates of the second version."""

import base64

# Made by y-prosemirror 1.3 with the nodes and marks of prosemirror-schema-basic and -list, in its root `prosemirror`.
BASIC = base64.b64decode(
    "ATqt+NSDCwAHAQtwcm9zZW1pcnJvcgMHaGVhZGluZwcArfjUgwsABgQArfjUgwsBBU5vdGVzKACt+NSDCwAFbGV2ZWwBfQKHrfjUgwsAAwlwYX"
    "JhZ3JhcGgHAK341IMLCAYEAK341IMLCQZwbGFpbiCGrfjUgwsPBnN0cm9uZwJ7fYSt+NSDCxAGc3Ryb25nhq341IMLFgZzdHJvbmcEbnVsbISt"
    "+NSDCxcBIIat+NSDCxgCZW0Ce32ErfjUgwsZAmVthq341IMLGwJlbQRudWxshK341IMLHAEghq341IMLHQJlbQJ7fYat+NSDCx4Gc3Ryb25nAn"
    "t9hK341IMLHwRib3Rohq341IMLIwJlbQRudWxshq341IMLJAZzdHJvbmcEbnVsbISt+NSDCyUBIIat+NSDCyYEY29kZQJ7fYSt+NSDCycEY29k"
    "ZYat+NSDCysEY29kZQRudWxshK341IMLLAEghq341IMLLQRsaW5rLHsiaHJlZiI6Imh0dHBzOi8vZXhhbXBsZS5jb20vIiwidGl0bGUiOm51bG"
    "x9hK341IMLLgRsaW5rhq341IMLMgRsaW5rBG51bGyHrfjUgwsJAwpoYXJkX2JyZWFrh6341IMLNAYEAK341IMLNQluZXh0IGxpbmWHrfjUgwsI"
    "AwtidWxsZXRfbGlzdAcArfjUgws/AwlsaXN0X2l0ZW0HAK341IMLQAMJcGFyYWdyYXBoBwCt+NSDC0EGBACt+NSDC0IDb25lh6341IMLQAMJbG"
    "lzdF9pdGVtBwCt+NSDC0YDCXBhcmFncmFwaAcArfjUgwtHBgQArfjUgwtIA3R3b4et+NSDC0cDDG9yZGVyZWRfbGlzdAcArfjUgwtMAwlsaXN0"
    "X2l0ZW0HAK341IMLTQMJcGFyYWdyYXBoBwCt+NSDC04GBACt+NSDC08FdGhyZWWHrfjUgwtNAwlsaXN0X2l0ZW0HAK341IMLVQMJcGFyYWdyYX"
    "BoBwCt+NSDC1YGBACt+NSDC1cEZm91cigArfjUgwtMBW9yZGVyAX0Dh6341IMLPwMPaG9yaXpvbnRhbF9ydWxlh6341IMLXQMKY29kZV9ibG9j"
    "awcArfjUgwteBgQArfjUgwtfDWxldCBvcmRlciA9IDGHrfjUgwteAwpibG9ja3F1b3RlBwCt+NSDC20DCXBhcmFncmFwaAcArfjUgwtuBgQArf"
    "jUgwtvDHN0cm9uZyB3b3JkcwA="
)
BASIC_MARKDOWN = """\
## Notes

plain **strong** *em* ***both*** `code` [link](https://example.com/)\\
next line

- one

- two

  3. three
  4. four

***

```
let order = 1
```

> strong words
"""

# What `encodeStateAsUpdateV2` of Yjs 13 makes: of an empty document, of one paragraph, of a deletion alone, and of a text
# with formatting, an attribute and a deletion.
V2 = {
    "empty": "AAAAAAAAAQAAAAAAAA==",
    "paragraph": "AAEAAkUBAgACAAMHAQQeGmRlZmF1bHRwYXJhZ3JhcGhNb3ZlZCBoZXJlBwkKAwEAAAIDBgABAwAA",
    "deletion": "AAAAAAAAAQAAAAAAAQUBAgU=",
    "formatted": "AAMAAwACRQYGAAIMAAhWARALBwEBAIQAxgCGACgrJWRlZmF1bHRwYXJhZ3JhcGhoZXJlYm9sZGJvbGR0ZXh0QWxpZ24HCUQBCQMBAAACAwYCBgEBBwB2"
    "AH53BmNlbnRlcgEFAQIF",
}
