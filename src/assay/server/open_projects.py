"""The projects of a server: their stores and queues of jobs, opened when they are first used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Lock

from assay.core.secrets import Redactor
from assay.server.config import ServerConfig
from assay.server.jobs import Jobs
from assay.server.uploads import Uploads
from assay.store import Store
from assay.store.projects import DEFAULT, find_project, list_projects, project_url


class OpenProjects:
    """What is open of each project. The default one's store is the server's own."""

    def __init__(
        self,
        control: Callable[[], Store],
        config: Callable[[], ServerConfig],
        now: Callable[[], float],
        redactor: Redactor,
        opened: Callable[[str], Store],
    ) -> None:
        self._control = control
        self._config = config
        self._now = now
        self._redactor = redactor
        self._opened = opened
        self._stores: dict[str, Store] = {}
        self._jobs: dict[str, Jobs] = {}
        self._is_working = False
        self._lock = Lock()

    @property
    def control(self) -> Store:
        """The server's own store, with the projects, members, users and keys of all."""
        return self._control()

    def store(self, project: str) -> Store:
        """The store of a project."""
        if project == DEFAULT:
            return self.control
        with self._lock:
            if project not in self._stores:
                find_project(self.control, project)
                url = project_url(self._config().store, project)
                self._stores[project] = self._opened(url)
            return self._stores[project]

    def jobs(self, project: str) -> Jobs:
        """The jobs of a project; they wait until the server has started them."""
        store = self.store(project)
        with self._lock:
            if project not in self._jobs:
                store.check_writable()
                config = self._config()
                folder = config.uploads
                if project != DEFAULT:
                    folder = folder.with_name(f"{folder.name}.projects") / project
                uploads = Uploads(folder, config.limits)
                uploads.prepare()
                own = replace(config, uploads=folder)
                jobs = Jobs(store, own, uploads, self._now, self._redactor)
                self._jobs[project] = jobs
                if self._is_working:
                    jobs.start()
            return self._jobs[project]

    def start(self) -> None:
        """Work on the jobs of all projects from now on."""
        waiting = [self.jobs(project.name) for project in list_projects(self.control)]
        self._is_working = True
        for jobs in waiting:
            jobs.start()

    def stop(self) -> None:
        """End all jobs after the batch in work."""
        for jobs in list(self._jobs.values()):
            jobs.stop()

    @property
    def is_stopping(self) -> bool:
        """Whether the server is about to end."""
        return any(jobs.is_stopping for jobs in list(self._jobs.values()))

    def close(self) -> None:
        """Give all connections back, but those of the server's own store."""
        for store in self._stores.values():
            store.close()
