//! Owns what is taken from an extract, element by element: relations first, since they say which ways are wanted;
//! then nodes and ways, which may come in any order.

use std::path::Path;

use osmpbf::{Element, PrimitiveBlock, RelMemberType};
use walkies_core::map::Point;
use walkies_core::values::place::Place;

use super::deal::Dealer;
use super::frame::Frame;
use super::locate::{NodeMarks, Places};
use super::osm::{self, Tags};
use super::outcome::{ImportError, Summary};
use super::record::{Reader, broken, put};
use super::spool::Sorter;
use super::{address, features, rules};

/// Keys of relations that do not say what an area is.
const SAYS_NOTHING: &[&str] = &["type", "name", "source", "note", "created_by", "fixme"];

/// Everything that is collected while an extract is read.
pub struct Reading {
    /// The places of the points of ways.
    pub places: Places,
    /// The pieces whose tile is known already.
    pub dealer: Dealer,
    /// The ways that are wanted (`WantedWay`), by number.
    pub ways: Sorter,
    /// How many ways are wanted.
    pub n_ways: u32,
    /// How many of them people may walk on somewhere.
    pub n_walked: u32,
    /// The tags of areas that are made of several ways, by number.
    pub areas: Sorter,
    /// The ways that such areas are made of, sorted by way.
    members: Vec<Member>,
    n_areas: u32,
    /// The part of the world that the file says that it covers.
    pub covered: Option<Frame>,
    /// Counts and warnings of the import so far.
    pub summary: Summary,
    record: Vec<u8>,
}

/// A way is part of an area's border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    way: i64,
    area: u32,
    /// True if the area might be walkable, so that people walk along its border.
    walked: bool,
    /// True if the way's tags are the area's, as was usual before 2017.
    gives_tags: bool,
}

impl Reading {
    /// Reads a file; `progress` hears the share that is done.
    pub fn of(
        file: &Path,
        folder: &Path,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Self, ImportError> {
        let mut it = Self {
            places: Places::new(folder),
            dealer: Dealer::new(folder),
            ways: Sorter::new(folder),
            n_ways: 0,
            n_walked: 0,
            areas: Sorter::new(folder),
            members: Vec::new(),
            n_areas: 0,
            covered: None,
            summary: Summary::default(),
            record: Vec::new(),
        };
        let header = osm::read(file, |block, share| {
            progress(share / 2.0);
            it.relations(block)
        })?;
        it.members.sort_unstable();
        it.members.dedup();
        osm::read(file, |block, share| {
            progress((1.0 + share) / 2.0);
            it.nodes_and_ways(block)
        })?;
        // Else the last change of any element says how old the data is at most.
        it.summary.data_at = header.data_at.unwrap_or(it.summary.data_at);
        it.covered = header.covered;
        Ok(it)
    }

    fn relations(&mut self, block: &PrimitiveBlock) -> Result<(), ImportError> {
        for group in block.groups() {
            for relation in group.relations() {
                let tags = Tags::of(relation.tags());
                let has_tags = features::land(&tags).is_some();
                let is_bare = tags.is("type", "multipolygon")
                    && tags.0.iter().all(|(key, _)| SAYS_NOTHING.contains(key));
                if !tags.is_any("type", &["multipolygon", "boundary"]) || !(has_tags || is_bare) {
                    continue;
                }
                let number = self.n_areas;
                self.n_areas += 1;
                if has_tags {
                    self.record.clear();
                    tags.put(is_wanted_key, &mut self.record);
                    self.areas.push(number.into(), &self.record)?;
                }
                let walked = rules::may_matter(&tags);
                let ways = relation
                    .members()
                    .filter(|it| it.member_type == RelMemberType::Way);
                self.members.extend(ways.map(|it| Member {
                    way: it.member_id,
                    area: number,
                    walked,
                    gives_tags: !has_tags && it.role().is_ok_and(|it| it != "inner"),
                }));
            }
        }
        Ok(())
    }

    fn nodes_and_ways(&mut self, block: &PrimitiveBlock) -> Result<(), ImportError> {
        for element in block.elements() {
            match element {
                Element::DenseNode(it) => {
                    self.seen(it.info().map(|it| it.milli_timestamp()));
                    self.node(it.id(), it.nano_lat(), it.nano_lon(), &Tags::of(it.tags()))?;
                }
                Element::Node(it) => {
                    self.seen(it.info().milli_timestamp());
                    self.node(it.id(), it.nano_lat(), it.nano_lon(), &Tags::of(it.tags()))?;
                }
                Element::Way(it) => {
                    self.seen(it.info().milli_timestamp());
                    self.way(it.id(), it.refs(), &Tags::of(it.tags()))?;
                }
                Element::Relation(_) => {}
            }
        }
        Ok(())
    }

    fn seen(&mut self, changed_at_ms: Option<i64>) {
        self.summary.data_at = self.summary.data_at.max(changed_at_ms.unwrap_or(0) / 1000);
    }

    fn node(
        &mut self,
        id: i64,
        nano_lat: i64,
        nano_lon: i64,
        tags: &Tags,
    ) -> Result<(), ImportError> {
        self.summary.n_nodes += 1;
        let Some(place) = Place::from_degrees(nano_lat as f64 * 1e-9, nano_lon as f64 * 1e-9)
        else {
            self.summary.warnings.nodes_off_the_map += 1;
            return Ok(());
        };
        let at = Point::at(place);
        let marks = NodeMarks {
            crossing: rules::node_crossing(tags),
            blocks: rules::blocks(tags),
        };
        self.places.answer(id, at, marks)?;
        if let Some(kind) = features::spot(tags) {
            self.dealer.spot(kind, at, tags.name())?;
        }
        if let Some((kind, name)) = features::node_label(tags).zip(tags.name()) {
            self.dealer.label(kind, at, &name)?;
        }
        if let Some((numbers, whereabouts)) = address::house(tags) {
            self.dealer.house(numbers, whereabouts, at)?;
        }
        Ok(())
    }

    fn way(
        &mut self,
        id: i64,
        refs: impl ExactSizeIterator<Item = i64> + Clone,
        tags: &Tags,
    ) -> Result<(), ImportError> {
        self.summary.n_ways += 1;
        let first = self.members.partition_point(|it| it.way < id);
        let members: Vec<Member> = self
            .members
            .iter()
            .skip(first)
            .take_while(|it| it.way == id)
            .copied()
            .collect();
        let walks = rules::may_matter(tags);
        let wanted =
            walks || !members.is_empty() || features::matters(tags) || address::matters(tags);
        if !wanted || refs.len() < 2 {
            return Ok(());
        }
        let mut gives_tags = false;
        if features::land(tags).is_some() {
            for member in members.iter().filter(|it| it.gives_tags) {
                gives_tags = true;
                self.record.clear();
                tags.put(is_wanted_key, &mut self.record);
                self.areas.push(member.area.into(), &self.record)?;
            }
        }
        let number = self.n_ways;
        self.n_ways += 1;
        self.n_walked += u32::from(walks);
        let way = WantedWay {
            n_points: refs.len() as u32,
            // Else the area that it is a part of has its tags.
            is_ring: !gives_tags && refs.len() > 3 && refs.clone().next() == refs.clone().last(),
            walked: walks || members.iter().any(|it| it.walked),
            areas: members.iter().map(|it| it.area).collect(),
            tags: tags.clone(),
        };
        self.record.clear();
        way.put(&mut self.record);
        self.ways.push(number.into(), &self.record)?;
        for (index, node) in (0..).zip(refs) {
            self.places.ask(node, number, index, way.walked)?;
        }
        Ok(())
    }
}

/// A way that is part of the map.
#[derive(Clone, Debug)]
pub struct WantedWay<'a> {
    /// How many points it has in the extract.
    pub n_points: u32,
    /// True if it ends where it begins, and so may be an area.
    pub is_ring: bool,
    /// True if it, or an area that it borders, might be walkable somewhere; access is not checked yet.
    pub walked: bool,
    /// The numbers of the areas whose borders it is a part of.
    pub areas: Vec<u32>,
    /// Those of its tags that any rule asks for.
    pub tags: Tags<'a>,
}

impl<'a> WantedWay<'a> {
    fn put(&self, to: &mut Vec<u8>) {
        put(self.n_points.into(), to);
        to.push(u8::from(self.is_ring) | u8::from(self.walked) << 1);
        put(self.areas.len() as u64, to);
        self.areas.iter().for_each(|it| put(u64::from(*it), to));
        self.tags.put(is_wanted_key, to);
    }

    /// From its record.
    pub fn read(record: &'a [u8]) -> std::io::Result<Self> {
        let mut reader = Reader(record);
        let n_points = reader.small()?;
        let flags = reader.byte()?;
        let n_areas = reader.number()?;
        let areas = (0..n_areas)
            .map(|_| reader.small())
            .collect::<std::io::Result<_>>()?;
        let it = Self {
            n_points,
            is_ring: flags & 1 == 1,
            walked: flags >> 1 == 1,
            areas,
            tags: Tags::read(&mut reader)?,
        };
        if reader.0.is_empty() {
            Ok(it)
        } else {
            Err(broken())
        }
    }
}

fn is_wanted_key(key: &str) -> bool {
    [rules::KEYS, features::KEYS, address::KEYS]
        .iter()
        .any(|it| it.contains(&key))
}
