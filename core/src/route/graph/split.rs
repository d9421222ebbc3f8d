//! Owns places that are put on the network for one request: an edge is cut in two where one lies, and joined again after it.

use super::{Arc, EdgeIdx, Exit, Graph, GraphEdge, GraphNode, NodeIdx, between, headings};
use crate::map::{Crossing, Ground, Point};

/// An edge that was cut in two.
#[derive(Clone, Copy, Debug)]
pub(in crate::route) struct Split {
    /// The new node between the halves.
    pub(in crate::route) node: NodeIdx,
    /// The half up to the node; the next edge is the one from there on.
    pub(in crate::route) first_half: EdgeIdx,
    edge: EdgeIdx,
    /// Position of the cut, as a share of the edge's length.
    share: f64,
    /// The edge as it was.
    original: GraphEdge,
}

impl Graph {
    /// Cuts an edge in two at `share` of its length, and puts a node there. Where that falls on an end, a half has no length.
    ///
    /// The edge stays in `edges`, and no exit leads along it any more; two edges stand for its halves. `join_again` undoes it.
    pub(in crate::route) fn split_edge(&mut self, edge: EdgeIdx, share: f64) -> Option<Split> {
        let ground = self.ground?;
        let original = *self.edges.get(edge as usize)?;
        let line = self.line(Arc::new(edge, false));
        let length_m = f64::from(original.length_mm) / 1e3;
        let (piece, at) = cut_line(&line, &ground, share.clamp(0.0, 1.0) * length_m);
        let split = Split {
            node: self.nodes.len() as NodeIdx,
            first_half: self.edges.len() as EdgeIdx,
            edge,
            share,
            original,
        };
        self.push_node_of(&split, at);
        let [from, to] = original.ends;
        let halves = [
            ([from, split.node], &line[1..=piece], share),
            (
                [split.node, to],
                &line[piece + 1..line.len() - 1],
                1.0 - share,
            ),
        ];
        for (ends, via, share) in halves {
            self.push_half(&original, ends, via, share, &ground);
        }
        self.push_exits_of(&split);
        Some(split)
    }

    /// Joins an edge again; of several splits the last one first.
    pub(in crate::route) fn join_again(&mut self, split: Split) {
        let Split {
            node,
            first_half,
            edge,
            original,
            ..
        } = split;
        let [from, to] = original.ends;
        let (there, back) = (Arc::new(edge, false), Arc::new(edge, true));
        self.redirect(from, Arc::new(first_half, false), Exit { to, arc: there });
        self.redirect(
            to,
            Arc::new(first_half + 1, true),
            Exit {
                to: from,
                arc: back,
            },
        );
        self.points
            .truncate(self.edges[first_half as usize].via_from as usize);
        self.edges.truncate(first_half as usize);
        self.exits.truncate(self.exits.len() - 2);
        self.first.pop();
        self.nodes.truncate(node as usize);
        self.component.pop();
        self.two_edge_component.pop();
        if original.is_bridge {
            self.two_edge_component_m.pop();
        }
    }

    /// Adds the node of a split; of a bridge it is a 2-edge-connected component by itself.
    fn push_node_of(&mut self, split: &Split, at: Point) {
        let Split {
            share, original, ..
        } = split;
        let (x, y) = self.plane(at);
        let height_m = match original.ends.map(|it| self.node(it).height_m) {
            [Some(from), Some(to)] => {
                let (from, to) = (f64::from(from), f64::from(to));
                Some((from + (to - from) * share).round() as i16)
            }
            _ => None,
        };
        self.nodes.push(GraphNode {
            at,
            x,
            y,
            height_m,
            crossing: Crossing::None,
        });
        let from = original.ends[0] as usize;
        self.component.push(self.component[from]);
        let two_edge_component = if original.is_bridge {
            self.two_edge_component_m.push(0.0);
            self.two_edge_component_m.len() as u32 - 1
        } else {
            self.two_edge_component[from]
        };
        self.two_edge_component.push(two_edge_component);
    }

    /// Adds a part of an edge that has this share of its length.
    fn push_half(
        &mut self,
        original: &GraphEdge,
        ends: [NodeIdx; 2],
        via: &[Point],
        share: f64,
        ground: &Ground,
    ) {
        let via_from = self.points.len() as u32;
        self.points.extend(via);
        let scaled = |it: u32| (f64::from(it) * share).round() as u32;
        let [from, to] = ends.map(|it| self.node(it));
        self.edges.push(GraphEdge {
            ends,
            via_from,
            via_to: self.points.len() as u32,
            length_mm: scaled(original.length_mm),
            effort_mm: original.effort_mm.map(scaled),
            climb_m: original
                .climb_m
                .map(|it| (f64::from(it) * share).round() as u16),
            mid: (f64::midpoint(from.x, to.x), f64::midpoint(from.y, to.y)),
            ..*original
        });
        let half = self.edges.len() - 1;
        let line = self.line(Arc::new(half as EdgeIdx, false));
        self.edges[half].heading = headings(&line, ground);
    }

    /// Leads from the new node to both ends of the edge, and from these to the node and not along the edge.
    fn push_exits_of(&mut self, split: &Split) {
        let Split {
            node,
            first_half,
            edge,
            original,
            ..
        } = *split;
        let [from, to] = original.ends;
        let (first, second) = (Arc::new(first_half, false), Arc::new(first_half + 1, false));
        self.exits.extend([
            Exit {
                to: from,
                arc: first.reversed(),
            },
            Exit { to, arc: second },
        ]);
        self.first.push(self.exits.len() as u32);
        let (there, back) = (Arc::new(edge, false), Arc::new(edge, true));
        self.redirect(
            from,
            there,
            Exit {
                to: node,
                arc: first,
            },
        );
        self.redirect(
            to,
            back,
            Exit {
                to: node,
                arc: second.reversed(),
            },
        );
    }

    /// Puts another exit of a node in the place of the one along `arc`.
    fn redirect(&mut self, node: NodeIdx, arc: Arc, exit: Exit) {
        let node = node as usize;
        let exits = self.first[node] as usize..self.first[node + 1] as usize;
        if let Some(it) = self.exits[exits].iter_mut().find(|it| it.arc == arc) {
            *it = exit;
        }
    }
}

/// Finds the point of a line after so many meters; returns the index of its piece, and the point.
fn cut_line(line: &[Point], ground: &Ground, cut_m: f64) -> (usize, Point) {
    let mut gone_m = 0.0;
    let cut = line.windows(2).enumerate().find_map(|(piece, ends)| {
        let piece_m = ground.length_m(ends[0], ends[1]);
        gone_m += piece_m;
        let share = if piece_m > 0.0 {
            1.0 - (gone_m - cut_m) / piece_m
        } else {
            0.0
        };
        (gone_m >= cut_m).then_some((piece, share))
    });
    let (piece, share) = cut.unwrap_or((line.len() - 2, 1.0));
    (piece, between(line[piece], line[piece + 1], share))
}

/// The splits of one request, in their order.
#[derive(Default)]
pub(in crate::route) struct Insertions(Vec<Split>);

impl Insertions {
    /// Puts a node on an edge as it was before all others: on a half of it where it was cut.
    pub(in crate::route) fn put(
        &mut self,
        graph: &mut Graph,
        edge: EdgeIdx,
        share: f64,
    ) -> Option<NodeIdx> {
        let (mut edge, mut share) = (edge, share.clamp(0.0, 1.0));
        for cut in &self.0 {
            if cut.edge == edge && share < cut.share {
                (edge, share) = (cut.first_half, share / cut.share);
            } else if cut.edge == edge {
                let after = (share - cut.share) / (1.0 - cut.share).max(1e-9);
                (edge, share) = (cut.first_half + 1, after);
            }
        }
        let split = graph.split_edge(edge, share)?;
        self.0.push(split);
        Some(split.node)
    }

    /// Takes all away again.
    pub(in crate::route) fn remove(self, graph: &mut Graph) {
        for split in self.0.into_iter().rev() {
            graph.join_again(split);
        }
    }
}
