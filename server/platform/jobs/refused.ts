/** A command of the operator cannot do its work, such as a backup that cannot be read. The message is one sentence for the operator, with the next step. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** The command cannot run at all as it was given. */
export class CommandImpossible extends CommandRefused {}
