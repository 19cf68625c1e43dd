/** The calls of the operator's console. [OPER-03] */
import type { Route } from '#server/platform/http/route.ts';
import { OPERATOR_ACTS } from '../acts/acts.ts';
import { auditRoutes } from './audit.ts';
import { caseRoutes } from './cases.ts';
import { documentRoutes } from './documents.ts';
import { findRoutes } from './find.ts';
import { reportRoutes } from './reports.ts';
import { requestRoutes } from './requests.ts';
import { sessionRoutes } from './session.ts';

/** The reads of each page, and the call of each act. */
export const consoleRoutes: Route[] = [
  ...sessionRoutes,
  ...requestRoutes,
  ...reportRoutes,
  ...caseRoutes,
  ...findRoutes,
  ...auditRoutes,
  ...documentRoutes,
  ...OPERATOR_ACTS.flatMap(({ forms }) => forms.map(({ route }) => route)),
];
