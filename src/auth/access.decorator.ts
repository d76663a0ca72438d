import { SetMetadata } from '@nestjs/common';
import type { Permission } from '../users/permissions';

export const ACCESS = 'access';
export type Access = Permission | 'token' | 'public';

/** The route or controller needs a live token with this permission. One with neither this nor `Public` refuses every call. */
export const RequirePermission = (permission: Permission) => SetMetadata<string, Access>(ACCESS, permission);

/** The route or controller needs a live token, whatever its permissions. */
export const RequireToken = () => SetMetadata<string, Access>(ACCESS, 'token');

/** The route or controller is open to all, or checks access itself. */
export const Public = () => SetMetadata<string, Access>(ACCESS, 'public');
