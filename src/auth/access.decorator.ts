import { SetMetadata } from '@nestjs/common';
import type { Permission } from '../users/permissions';

export const ACCESS = 'access';
export type Access = Permission | 'public';

/** The route or controller needs a live token with this permission. One that says neither this nor `Public` answers nobody. */
export const RequirePermission = (permission: Permission) => SetMetadata<string, Access>(ACCESS, permission);

/** The route or controller is open to all, or looks after its own access. */
export const Public = () => SetMetadata<string, Access>(ACCESS, 'public');
