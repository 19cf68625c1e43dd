/** The calls about positions, which only parts that load on demand make (see domain/calls.ts). */
import { callsOf } from '../endpoint.ts';
import * as position from './position-contract.ts';

export const calls = callsOf(position);
