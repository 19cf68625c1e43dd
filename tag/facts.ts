/**
 * The module that the tag loads for zones whose ads are limited by page, topic or the visitor's clock. It asks for the ad
 * again, with these facts.
 */
import { askAgain } from './ask-again.ts';
import type { Asked } from './request.ts';

export function ask([zone, show]: Asked): void {
  askAgain(zone, show, '', '');
}
