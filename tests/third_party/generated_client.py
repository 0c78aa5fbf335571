"""What somebody writes with the package that openapi-python-client generates."""

import json
import os
import sys

from codrive_client.api.documents import documents_edit, documents_read
from codrive_client.api.drive_items import drive_items_get, drive_items_share
from codrive_client.api.drives import drives_create_item
from codrive_client.models.documents_edit_body_type_0 import DocumentsEditBodyType0
from codrive_client.models.drive_items_share_body import DriveItemsShareBody
from codrive_client.models.drive_items_share_body_permission import DriveItemsShareBodyPermission
from codrive_client.models.drives_create_item_body import DrivesCreateItemBody
from codrive_client.models.drives_create_item_body_drive_item_type import DrivesCreateItemBodyDriveItemType

from codrive_client import AuthenticatedClient

client = AuthenticatedClient(os.environ["BASE"], os.environ["KEY"], prefix="", auth_header_name="x-api-key")
wanted = DrivesCreateItemBody("Plan", DrivesCreateItemBodyDriveItemType.DOCS_WORKBOOK)
item = drives_create_item.sync(os.environ["DRIVE"], client=client, body=wanted).item
documents_edit.sync_detailed(item.id, client=client, body=DocumentsEditBodyType0("# Plan\n\n- one\n", 0))
read = documents_read.sync(item.id, client=client)
shared = DriveItemsShareBody(os.environ["EMAIL"], DriveItemsShareBodyPermission.READ_WRITE)
drive_items_share.sync_detailed(item.id, client=client, body=shared)
got = drive_items_get.sync(item.id, client=client)
failed = drive_items_get.sync("nothing", client=client)
told = {
    "made": item.name,
    "markdown": read.markdown,
    "revision": read.item.revision,
    "shared": got.shares[0].permission.value,
    "code": failed.code.value,
}
sys.stdout.write(json.dumps(told))
