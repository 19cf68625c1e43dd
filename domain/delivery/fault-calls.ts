/** The calls about faults, which only the pages that show them load (see domain/calls.ts). */
import { callsOf } from '../endpoint.ts';
import * as faults from './faults-contract.ts';

export const calls = callsOf(faults);
