import { roleOf, type Role } from '#domain/accounts/roles.ts';
import { Badge } from '#web/ui/badge.tsx';

/** The role as stored, 'both' when there is none (OP-041). */
export function RoleBadge({ role, className }: { role: Role | null | undefined; className?: string }) {
  return (
    <Badge tone="accent" className={className}>
      {roleOf(role)}
    </Badge>
  );
}
