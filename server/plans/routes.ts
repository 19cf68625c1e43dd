import { createPlan, getPlan, listChoices, listPlans } from '#domain/plans/contract.ts';
import { type Route, route } from '../http/route.ts';
import { showChoices } from '../inventory/choices.ts';
import { submitPlan } from './create.ts';
import { ownPlan, ownPlans } from './read.ts';

export const routes: Route[] = [
  route(createPlan, 'buyer', submitPlan),
  route(listChoices, 'user', showChoices),
  // A user who is no longer an advertiser still owns their earlier plans.
  route(listPlans, 'user', ownPlans),
  route(getPlan, 'user', ownPlan),
];
