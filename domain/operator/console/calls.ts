/**
 * The calls of the operator's console for the browser, apart from those of members, who never load them. The build keeps
 * only the data of this module (vite.config.ts).
 */
import { callsOf } from '../../endpoint.ts';
import * as audit from './audit-contract.ts';
import * as cases from './cases-contract.ts';
import * as documents from './documents-contract.ts';
import * as find from './find-contract.ts';
import * as reports from './reports-contract.ts';
import * as requests from './requests-contract.ts';
import * as session from './session-contract.ts';

export const calls = callsOf({
  ...session,
  ...requests,
  ...reports,
  ...audit,
  ...cases,
  ...documents,
  ...find,
});
