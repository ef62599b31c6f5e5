"""SVG to PNG, the same pixels everywhere: the fonts come with the package."""

from __future__ import annotations

from pathlib import Path

from ..rules.errors import PurlieuError

FONTS = Path(__file__).with_name("fonts")


def png(svg_text: str, width: int = 960) -> bytes:
    """The drawing as a PNG of that width in pixels. A drawing that follows its reader's theme comes out light."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise PurlieuError(
            "drawing.png_needs_resvg",
            "PNG needs resvg-py: pip install resvg-py (or install purlieu with its extra png)",
        ) from None
    return svg_to_bytes(
        svg_string=svg_text,
        width=width,
        skip_system_fonts=True,
        font_files=[str(font) for font in sorted(FONTS.glob("*.otf"))],
        font_family="Inter",
        sans_serif_family="Inter",
    )
