import { createPlan, getPlan, listChoices, listPlans } from '#domain/plans/contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { showChoices } from '../inventory/choices.ts';
import { submitPlan } from './create.ts';
import { ownPlan, ownPlans } from './read.ts';

export const routes: Route[] = [
  route(createPlan, { access: 'buyer', right: 'change' }, submitPlan),
  route(listChoices, { access: 'user', right: 'ads' }, showChoices),
  // A user who is no longer an advertiser still owns their earlier plans.
  route(listPlans, { access: 'user', right: 'ads' }, ownPlans),
  route(getPlan, { access: 'user', right: 'figures' }, ownPlan),
];
