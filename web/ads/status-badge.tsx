import type { AdStatus } from '#domain/ads/status.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';

const TONES: Record<AdStatus, Tone> = {
  pending: 'warn',
  approved: 'accent',
  rejected: 'bad',
  active: 'good',
  completed: 'neutral',
};

export function StatusBadge({ status }: { status: AdStatus }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}
