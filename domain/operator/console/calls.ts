/**
 * The calls of the operator's console for the browser, apart from those of members, who never load them. The build keeps
 * only the data of this module (vite.config.ts).
 */
import { callsOf } from '../../endpoint.ts';
import * as audit from './audit-contract.ts';
import * as bank from './bank-contract.ts';
import * as books from './books-contract.ts';
import * as cases from './cases-contract.ts';
import * as documents from './documents-contract.ts';
import * as find from './find-contract.ts';
import * as money from './money-contract.ts';
import * as operators from './operators-contract.ts';
import * as queues from './queues-contract.ts';
import * as reports from './reports-contract.ts';
import * as requests from './requests-contract.ts';
import * as session from './session-contract.ts';
import * as settings from './settings-contract.ts';
import * as system from './system-contract.ts';
import * as tax from './tax-contract.ts';
import * as texts from './texts-contract.ts';
import * as today from './today-contract.ts';

export const calls = callsOf({
  ...session,
  ...requests,
  ...reports,
  ...system,
  ...texts,
  ...operators,
  ...money,
  ...books,
  ...bank,
  ...tax,
  ...today,
  ...queues,
  ...settings,
  ...audit,
  ...cases,
  ...documents,
  ...find,
});
