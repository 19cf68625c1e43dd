/**
 * The calls of the operator's console for the browser, apart from those of members, who never load them. The build keeps
 * only the data of this module (vite.config.ts).
 */
import { callsOf } from '../../endpoint.ts';
import * as reports from './reports-contract.ts';
import * as requests from './requests-contract.ts';
import * as settings from './settings-contract.ts';
import * as session from './session-contract.ts';

export const calls = callsOf({ ...session, ...requests, ...reports, ...settings });
