//! Owns how text becomes glyphs on paper: fonts by character, shaping, the order of scripts that run right to left, and
//! lines. It knows nothing of invoices.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use krilla::color::rgb;
use krilla::geom::Point;
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule};
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph, Tag};
use parley::fontique::{Collection, CollectionOptions, FontInfoOverride, GenericFamily};
use parley::{
    Alignment, AlignmentOptions, FontContext, FontFamily, FontFamilyName, FontWeight, Layout,
    LayoutContext, LineHeight, OverflowWrap, StyleProperty,
};

use super::fonts::{FONTS, ISOLATES};

/// Red, green and blue.
#[derive(Clone, Copy, Debug)]
pub struct Color(pub u8, pub u8, pub u8);

/// Black, the darkest color.
pub const BLACK: Color = Color(0, 0, 0);
/// White, the color of the paper.
pub const WHITE: Color = Color(255, 255, 255);

/// How a paragraph looks.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Size of the letters, in points.
    pub size: f32,
    /// Weight of the letters, as fonts count it: 400 is regular.
    pub weight: f32,
    /// Color of the letters.
    pub color: Color,
    /// True if lines are aligned at their ends and not at their beginnings.
    pub is_at_end: bool,
}

/// A text in lines.
pub struct Paragraph {
    text: String,
    layout: Layout<()>,
    style: Style,
}

impl Paragraph {
    /// How many lines it has.
    pub fn n_lines(&self) -> usize {
        self.layout.len()
    }

    /// The height of some of its lines, in points.
    pub fn height(&self, lines: Range<usize>) -> f32 {
        let heights = lines.filter_map(|it| self.layout.get(it));
        heights.map(|it| it.metrics().line_height).sum()
    }

    /// The width of its longest line, in points.
    pub fn width(&self) -> f32 {
        self.layout.width()
    }

    /// Draws some of its lines, the first one below `y`.
    pub fn draw(
        &self,
        surface: &mut Surface,
        fonts: &mut PdfFonts,
        (x, y): (f32, f32),
        lines: Range<usize>,
    ) {
        surface.set_fill(Some(fill(self.style.color)));
        let above = self.height(0..lines.start);
        for line in lines.filter_map(|it| self.layout.get(it)) {
            let metrics = line.metrics();
            let mut at = Point::from_xy(x + metrics.offset, y - above + metrics.baseline);
            for run in line.runs() {
                let Some(font) = fonts.of(&run) else {
                    continue;
                };
                let size = run.font_size();
                let (glyphs, advance) = glyphs(&run, &self.text);
                surface.draw_glyphs(at, &glyphs, font, &self.text, size, false);
                at.x += advance;
            }
        }
    }
}

/// The glyphs of a run from left to right, and how wide they are together.
fn glyphs(run: &parley::layout::Run<'_, ()>, text: &str) -> (Vec<KrillaGlyph>, f32) {
    let size = run.font_size();
    let mut glyphs: Vec<KrillaGlyph> = Vec::new();
    let mut first_of_cluster = 0;
    let mut advance = 0.0;
    for cluster in run.visual_clusters() {
        let letters = text.get(cluster.text_range()).unwrap_or_default();
        if letters.chars().any(|it| ISOLATES.contains(&it)) {
            continue;
        }
        if cluster.is_ligature_continuation() {
            // Its letters belong to all glyphs of those before it: a copy has them once where all say the same letters.
            for glyph in glyphs.iter_mut().skip(first_of_cluster) {
                let text = cluster.text_range();
                glyph.text_range.start = glyph.text_range.start.min(text.start);
                glyph.text_range.end = glyph.text_range.end.max(text.end);
            }
            continue;
        }
        first_of_cluster = glyphs.len();
        for glyph in cluster.glyphs() {
            glyphs.push(KrillaGlyph::new(
                GlyphId::new(glyph.id),
                glyph.advance / size,
                glyph.x / size,
                glyph.y / size,
                0.0,
                cluster.text_range(),
                None,
            ));
            advance += glyph.advance;
        }
    }
    (glyphs, advance)
}

/// One color everywhere.
pub fn fill(Color(red, green, blue): Color) -> Fill {
    Fill {
        paint: rgb::Color::new(red, green, blue).into(),
        opacity: NormalizedF32::ONE,
        rule: FillRule::default(),
    }
}

/// The fonts of a document, of which it gets the glyphs that are used.
#[derive(Default)]
pub struct PdfFonts(HashMap<(u64, u32), Option<Font>>);

impl PdfFonts {
    fn of(&mut self, run: &parley::layout::Run<'_, ()>) -> Option<Font> {
        let weight = run.font_attrs().weight.value();
        let (data, id) = run.font().data.clone().into_raw_parts();
        let font = self.0.entry((id, weight.to_bits()));
        let make = || Font::new_variable(data.into(), 0, &[(Tag::new(b"wght"), weight)]);
        font.or_insert_with(make).clone()
    }
}

/// Makes paragraphs of texts.
pub struct Typesetter {
    fonts: FontContext,
    layouts: LayoutContext<()>,
    known: Vec<usize>,
}

impl Typesetter {
    /// With no font yet.
    pub fn new() -> Self {
        let options = CollectionOptions {
            shared: false,
            system_fonts: false,
        };
        Self {
            fonts: FontContext {
                collection: Collection::new(options),
                source_cache: Default::default(),
            },
            layouts: LayoutContext::new(),
            known: Vec::new(),
        }
    }

    /// A paragraph with lines of this width, in points.
    pub fn set(&mut self, text: &str, style: Style, width: f32) -> Paragraph {
        let (files, text) = FONTS.of(text);
        let text = text.into_owned();
        let mut families = Vec::with_capacity(files.len());
        for file in files.iter().filter_map(|it| Some((it, FONTS.get(*it)?))) {
            let (place, file) = file;
            if !self.known.contains(place) {
                self.register(file);
                self.known.push(*place);
            }
            families.push(FontFamilyName::Named(Cow::Borrowed(file.name())));
        }
        let mut builder = self
            .layouts
            .ranged_builder(&mut self.fonts, &text, 1.0, false);
        builder.push_default(FontFamily::List(Cow::Owned(families)));
        builder.push_default(StyleProperty::FontSize(style.size));
        builder.push_default(StyleProperty::FontWeight(FontWeight::new(style.weight)));
        builder.push_default(StyleProperty::LineHeight(LineHeight::FontSizeRelative(1.4)));
        builder.push_default(StyleProperty::OverflowWrap(OverflowWrap::Anywhere));
        let mut layout = builder.build(&text);
        layout.break_all_lines(Some(width));
        let alignment = if style.is_at_end {
            Alignment::Right
        } else {
            Alignment::Start
        };
        layout.align(alignment, AlignmentOptions::default());
        Paragraph {
            text,
            layout,
            style,
        }
    }

    fn register(&mut self, file: &super::fonts::FontFile) {
        let Some(bytes) = file.bytes() else {
            return;
        };
        let name = FontInfoOverride {
            family_name: Some(file.name()),
            ..FontInfoOverride::default()
        };
        let fonts = &mut self.fonts.collection;
        let registered = fonts.register_fonts(bytes, Some(name));
        if file.name().starts_with("noto-emoji") {
            let families = registered.into_iter().map(|(family, _)| family);
            fonts.append_generic_families(GenericFamily::Emoji, families);
        }
    }
}
