/** The calls about placements, which only parts that load on demand make (see domain/calls.ts). */
import { callsOf } from '../endpoint.ts';
import * as placement from './placement-contract.ts';

export const calls = callsOf(placement);
