import { Link } from "@tanstack/react-router";
import type { Row } from "../graphql/generated";
import { hrefOf, isPage } from "./acts";

type Props = { item: Pick<Row, "id" | "name" | "driveItemType">; className?: string; tabIndex?: number };

/** A link to where an item is shown: a screen of the application, or a page of the server. */
export function ItemLink({ item, ...rest }: Props) {
  if (isPage(item)) {
    return (
      <a href={hrefOf(item)} {...rest}>
        {item.name}
      </a>
    );
  }
  return (
    <Link to={hrefOf(item)} {...rest}>
      {item.name}
    </Link>
  );
}
