/** The most placements of one plan. A publisher reads each of them. */
export const MAX_PLACEMENTS = 100;

/** The most characters of a plan's name. */
export const PLAN_NAME_MAX = 100;

export const TOO_MANY_PLACEMENTS = `A plan can have at most ${MAX_PLACEMENTS} ad zones. Remove some, or submit several plans.`;
