/**
 * The module that the tag loads while the publisher tests the ad zone. It asks for the ad again, with the token of a sample ad
 * if the address of the page has one at its end, as only the publisher's own has.
 */
import { askAgain } from './ask-again.ts';
import type { Asked } from './request.ts';

export function ask([zone, show]: Asked): void {
  // The number makes the address a new one, as in request.ts.
  askAgain(zone, /#openslot=(s[\w.-]+)$/.exec(location.hash)?.[1] ?? Math.random(), show);
}
