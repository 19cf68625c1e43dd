import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import type { WaitingThing } from '#domain/operator/console/today-contract.ts';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { ActButtons } from './act-button.tsx';

type QueueRowProps = {
  title: string;
  path: string;
  picture?: WaitingThing['picture'];
  /** What the row says below its title. */
  children: ReactNode;
  acts: readonly OfferedAct[];
};

/** A thing that waits: its picture, its name with the link to it, a sentence, and what an operator can do about it. */
export function QueueRow({ title, path, picture = null, children, acts }: QueueRowProps) {
  return (
    <div className="flex gap-3">
      {picture && <Thumbnail kind={picture.kind} src={picture.src} className="mt-0.5" />}
      <div className="grid min-w-0 flex-1 gap-2">
        <div className="grid gap-0.5">
          <Link
            href={path}
            className="justify-self-start font-medium wrap-anywhere text-accent hover:underline"
          >
            <bdi>{title}</bdi>
          </Link>
          {children}
        </div>
        <ActButtons acts={acts} about={title} />
      </div>
    </div>
  );
}
