import { createPlan, getPlan, listPlans } from '#domain/plans/contract.ts';
import { type Route, route } from '../http/route.ts';
import { submitPlan } from './create.ts';
import { ownPlan, ownPlans } from './read.ts';

export const routes: Route[] = [
  route(createPlan, 'buyer', submitPlan),
  // A user who is no longer an advertiser still owns their earlier plans.
  route(listPlans, 'user', ownPlans),
  route(getPlan, 'user', ownPlan),
];
