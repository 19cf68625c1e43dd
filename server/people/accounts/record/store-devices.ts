import type { Tx } from '#server/platform/database/database.ts';

export async function findDevice(tx: Tx, userId: number, deviceHash: Buffer): Promise<boolean> {
  const row = await tx
    .selectFrom('knownDevices')
    .select('userId')
    .where('userId', '=', userId)
    .where('deviceHash', '=', deviceHash)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findDeviceByEmail(tx: Tx, email: string, deviceHash: Buffer): Promise<boolean> {
  const row = await tx
    .selectFrom('knownDevices')
    .innerJoin('users', 'users.id', 'knownDevices.userId')
    .select('knownDevices.userId')
    .where('users.email', '=', email)
    .where('knownDevices.deviceHash', '=', deviceHash)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasDevices(tx: Tx, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('knownDevices')
    .select('userId')
    .where('userId', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Does nothing for an account that was deleted in the meantime. */
export async function upsertDevice(tx: Tx, userId: number, deviceHash: Buffer, now: Date): Promise<void> {
  await tx
    .insertInto('knownDevices')
    .columns(['userId', 'deviceHash', 'lastUsedAt'])
    .expression((from) =>
      from
        .selectFrom('users')
        .select(['id', from.val(deviceHash).as('deviceHash'), from.val(now).as('lastUsedAt')])
        .where('id', '=', userId)
        .where('deletedAt', 'is', null)
        .forShare(),
    )
    .onConflict((conflict) => conflict.columns(['userId', 'deviceHash']).doUpdateSet({ lastUsedAt: now }))
    .execute();
}

export async function deleteDevicesOf(tx: Tx, userId: number, except?: Buffer): Promise<void> {
  await tx
    .deleteFrom('knownDevices')
    .where('userId', '=', userId)
    .$if(except !== undefined, (query) => query.where('deviceHash', '<>', except as Buffer))
    .execute();
}

export async function deleteDevicesBefore(tx: Tx, instant: Date): Promise<void> {
  await tx.deleteFrom('knownDevices').where('lastUsedAt', '<', instant).execute();
}
