/** Owns what routes use of walks: the walk that is tracked, and starting one along a route. */
export { ofService } from "./newWalk";
export { planRoute, startWalk, trackedWalk, useTrackedWalk } from "./tracker";
