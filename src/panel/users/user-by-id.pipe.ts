import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { UserService, type UserRecord } from '../../users/user.service';
import { existing } from '../http/panel-errors';
import type { UserTab } from './user-page.props';

@Injectable()
class UserByIdPipe implements PipeTransform<string, Promise<UserRecord>> {
  constructor(private readonly users: UserService) {}

  async transform(id: string): Promise<UserRecord> {
    return existing(isUuid(id) ? await this.users.find({ id }) : null);
  }
}

export const USERS_PATH = '/panel/operator/users';

/** The user whose id is in the address; the page is not found where there is none. */
export const UserById = () => Param('id', UserByIdPipe);

/** Its first part is the page itself. */
export function tabPath(user: { readonly id: string }, tab: UserTab): string {
  return tab === 'usage' ? userPath(user) : `${userPath(user)}/${tab}`;
}

export function userPath({ id }: { readonly id: string }): string {
  return `/panel/operator/users/${id}`;
}
