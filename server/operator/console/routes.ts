/** The calls of the operator's console. [OPER-03] */
import type { Route } from '#server/platform/http/route.ts';
import { OPERATOR_ACTS } from '../acts/acts.ts';
import { bankRoutes } from './bank.ts';
import { booksRoutes } from './books.ts';
import { moneyRoutes } from './money.ts';
import { auditRoutes } from './audit.ts';
import { caseRoutes } from './cases.ts';
import { documentRoutes } from './files.ts';
import { findRoutes } from './find.ts';
import { reportRoutes } from './reports.ts';
import { requestRoutes } from './requests.ts';
import { sessionRoutes } from './session.ts';
import { operatorRoutes } from './system/operators.ts';
import { systemRoutes } from './system/system.ts';
import { textRoutes } from './system/texts.ts';
import { workRoutes } from './system/work.ts';
import { queueRoutes } from './queues.ts';
import { todayRoutes } from './today.ts';
import { settingRoutes, taxRoutes } from './settings.ts';

/** The reads of each page, and the call of each act. */
export const consoleRoutes: Route[] = [
  ...sessionRoutes,
  ...requestRoutes,
  ...todayRoutes,
  ...reportRoutes,
  ...systemRoutes,
  ...workRoutes,
  ...textRoutes,
  ...operatorRoutes,
  ...moneyRoutes,
  ...booksRoutes,
  ...bankRoutes,
  ...taxRoutes,
  ...queueRoutes,
  ...settingRoutes,
  ...caseRoutes,
  ...findRoutes,
  ...auditRoutes,
  ...documentRoutes,
  ...OPERATOR_ACTS.flatMap(({ forms }) => forms.map(({ route }) => route)),
];
