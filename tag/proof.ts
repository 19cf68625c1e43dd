import { PROOF_BOXES, PROOF_COLUMNS, PROOF_UNIT } from '#domain/delivery/wire.ts';
import { element } from './render.ts';

/**
 * Lays out hidden boxes whose sizes come from the end of `view`, and returns the left and top of each. The server compares
 * them with its own (domain/delivery/render-proof.ts), so that a script without a layout engine reports no view.
 */
export function prove(root: ShadowRoot, view: string): number[] {
  const area = element('i', {
    style: `all:initial;position:absolute;width:${PROOF_COLUMNS * PROOF_UNIT}px`,
  });
  for (const character of view.slice(-PROOF_BOXES)) {
    const code = character.codePointAt(0)!;
    area.append(
      element('i', {
        // The padding of an empty box is its size.
        style: `float:${code & 32 ? 'right' : 'left'};padding:${PROOF_UNIT / 2}px ${((code & 7) + 1) * (PROOF_UNIT / 2)}px`,
      }),
    );
  }
  // The style of an ad names its last link, so the boxes come first.
  root.prepend(area);
  const positions: number[] = [];
  for (const box of area.children as HTMLCollectionOf<HTMLElement>)
    positions.push(box.offsetLeft, box.offsetTop);
  area.remove();
  return positions;
}
