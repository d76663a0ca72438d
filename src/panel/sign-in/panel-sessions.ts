import type { Request } from 'express';

/** A new id at sign-in: one that somebody planted before is worth nothing afterwards. */
export async function startSession(request: Request, userId: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    request.session.regenerate((error) => (error ? reject(error as Error) : resolve()));
  });
  request.session.userId = userId;
}

export async function endSession(request: Request): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    request.session.destroy((error) => (error ? reject(error as Error) : resolve()));
  });
}
