/** A backup cannot be made, read or restored. The message is one sentence for the operator, with the next step. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

/** The command cannot run at all as it was given. */
export class BackupImpossible extends BackupRefused {}
