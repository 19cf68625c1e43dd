import { roleOf, type Role } from '#domain/accounts/roles.ts';
import { Badge } from '#web/ui/badge.tsx';

/** Shows the role as it is stored, or 'both' for a user without a role. [OP-041] */
export function RoleBadge({ role, className }: { role: Role | null | undefined; className?: string }) {
  return (
    <Badge tone="accent" className={className}>
      {roleOf(role)}
    </Badge>
  );
}
