/** The calls of the dialog 'Share report', which only that dialog loads (see domain/calls.ts). */
import { callsOf } from '../endpoint.ts';
import * as reportLinks from './contract.ts';

export const calls = callsOf(reportLinks);
