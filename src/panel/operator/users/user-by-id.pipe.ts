import { Injectable, type PipeTransform } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { UserService, type UserRecord } from '../../../auth/user.service';
import { PanelError } from '../../http/panel-errors';

/** The user whom an address names: `@Param('id', UserById)`. */
@Injectable()
export class UserById implements PipeTransform<string, Promise<UserRecord>> {
  constructor(private readonly users: UserService) {}

  async transform(id: string): Promise<UserRecord> {
    const user = isUuid(id) ? await this.users.find({ id }) : null;
    if (!user) throw new PanelError('not-found');
    return user;
  }
}
