/** The calls of the operator's console. [OPER-03] */
import type { Route } from '#server/platform/http/route.ts';
import { OPERATOR_ACTS } from '../acts/acts.ts';
import { reportRoutes } from './reports.ts';
import { requestRoutes } from './requests.ts';
import { sessionRoutes } from './session.ts';
import { settingRoutes } from './settings.ts';

/** The reads of each page, and the call of each act. */
export const consoleRoutes: Route[] = [
  ...sessionRoutes,
  ...requestRoutes,
  ...reportRoutes,
  ...settingRoutes,
  ...OPERATOR_ACTS.flatMap(({ forms }) => forms.map(({ route }) => route)),
];
