/**
 * The module that the tag loads while the publisher tests the ad zone. It asks for the ad again, with the token of a sample ad
 * if the address of the page has one at its end, as only the publisher's own has.
 */
import { askAgain } from './ask-again.ts';
import type { Asked } from './request.ts';

export function ask([zone, show]: Asked): void {
  const [, token = ''] = /#openslot=(s[\w.-]+)$/.exec(location.hash) ?? [];
  askAgain(zone, show, '', `&${token}`);
}
